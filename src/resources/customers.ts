import type { Customer } from '../generated/prisma/client.ts'
import type { Fields, FieldsOf } from './resource.ts'

/** What exports have of customers. */
export const customers = {
  fields: {
    id: { kind: 'id', exported: true },
    createdAt: { kind: 'time', exported: true },
    updatedAt: { kind: 'time', exported: true },
    email: { kind: 'text', exported: true },
    name: { kind: 'text', nullable: true, exported: true },
  } as const satisfies Partial<FieldsOf<Customer>> & Fields,
}
