import type { Fields } from './resource.ts'

/** What exports have of visits. */
export const visits = {
  fields: {
    id: { kind: 'id', exported: 'The id of the visit.' },
    visitedAt: { kind: 'time', computed: true, exported: 'When the visit was.' },
    referralId: { kind: 'id', exported: 'The id of the referral.' },
    affiliateId: { kind: 'id', computed: true, exported: 'The id of the affiliate of the link.' },
    linkId: { kind: 'id', exported: 'The id of the link.' },
    link: { kind: 'text', computed: true, exported: 'The token of the link.' },
    url: {
      kind: 'text',
      nullable: true,
      exported: 'The page that was visited. Null if the link leads to the website.',
    },
    referrer: {
      kind: 'text',
      nullable: true,
      exported: 'The page that the visitor came from. Null if the browser did not say.',
    },
  } as const satisfies Fields,
}
