const formatted = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

/** A body that folds, with an indent. What is no JSON is shown as it is. */
export const Json = ({ name, json }: { name: string; json: string }) => (
  <details>
    <summary>{name}</summary>
    <pre>
      <code>{formatted(json)}</code>
    </pre>
  </details>
)
