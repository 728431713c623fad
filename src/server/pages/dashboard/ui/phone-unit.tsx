/** A number. Phones show no heads of columns, so that it carries its unit there. */
export const PhoneUnit = ({ count, unit }: { count: number; unit: string }) => (
  <>
    {count.toLocaleString()}
    <span className="phone-unit">{unit}</span>
  </>
)
