type ChoiceProps<Value extends string> = {
  label: string
  value: Value
  options: readonly { value: Value; name: string }[]
  onChange(value: Value): void
}

/** A list to choose one from, with its label before it. */
export const Choice = <Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) => (
  <label className="filter">
    <span>{label}</span>
    <select value={value} onChange={({ target }) => onChange(target.value as Value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
        </option>
      ))}
    </select>
  </label>
)
