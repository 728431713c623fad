import { formatNumber } from '../../parts/locale.ts'
/** A number. Phones show no heads of columns, so that it carries its unit there. */
export const PhoneUnit = ({ count, unit }: { count: number; unit: string }) => (
  <>
    {formatNumber(count)}
    <span className="phone-unit">{unit}</span>
  </>
)
