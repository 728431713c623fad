import { AffiliateLink } from '../affiliate-name.tsx'
import { ThingLink } from '../money/columns.tsx'

type Subject = { subjectId: string | null; label: string }

/** The name of what is measured, which leads to it. Links and coupons have no page of their own. */
export function SubjectLink({ of, subject: { subjectId: id, label } }: { of: string; subject: Subject }) {
  if (id !== null && of === 'AFFILIATE')
    return <AffiliateLink affiliate={{ id, email: label, firstName: null, lastName: null }} />
  if (id !== null && of === 'CAMPAIGN')
    return (
      <ThingLink of="campaigns" id={id}>
        {label}
      </ThingLink>
    )
  return label
}
