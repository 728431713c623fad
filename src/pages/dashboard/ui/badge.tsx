export type Tone = 'good' | 'wait' | 'bad' | 'plain'

/** A state in a word. The colour repeats what the word says. */
export const Badge = ({ tone, children }: { tone: Tone; children: string }) => (
  <span className={`badge ${tone}`}>{children}</span>
)
