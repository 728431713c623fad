import type { ProgramCtx } from '../../kernel/context.ts'
import type { Problem } from '../../kernel/errors.ts'
import type { StoredConditions } from '../rules/conditions/all.ts'
import { isProduct } from '../rules/conditions/product.ts'

/** The products that sales of the program have had. They are read when the first rule names one. */
export class SoldProducts {
  readonly #ctx: ProgramCtx
  #ids: Promise<string[]> | undefined

  constructor(ctx: ProgramCtx) {
    this.#ctx = ctx
  }

  /** A problem for each product that no sale has. */
  async problemsOf({ productIds = [] }: StoredConditions = {}): Promise<Problem[]> {
    if (productIds.length === 0) return []
    this.#ids ??= readIds(this.#ctx)
    const ids = await this.#ids
    return productIds.flatMap((name): Problem[] =>
      ids.some((id) => isProduct(id, [name]))
        ? []
        : [
            {
              field: 'productIds',
              path: ['conditions', 'productIds'],
              message: `No sale has the product ${name}. Correct it, or add the rule by \`createCommissionRule\` before the product is sold.`,
            },
          ],
    )
  }
}

async function readIds({ db, program }: ProgramCtx): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select distinct item->>'productId' as id from sales s cross join lateral jsonb_array_elements(s.items) item
    where s.program_id = ${program.id}::uuid and s.items is not null`
  return rows.map(({ id }) => id)
}
