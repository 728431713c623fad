import { useId } from 'react'
import { texts } from '../../../texts.ts'

const words = texts.campaigns.rules

/** A step of tiers as it was typed. The id tells rows apart. */
export type TypedStep = { id: number; from: string; earns: string }

/** More is no table that a person reads. The service has the same limit. */
const mostSteps = 20

type StepsProps = {
  steps: readonly TypedStep[]
  onChange(steps: readonly TypedStep[]): void
  /** What the columns are called. */
  from: string
  earns: string
  problem: string | undefined
}

/** The table of steps: from which value on, and what is earned. The first is from 0. */
export function Steps({ steps, onChange, from, earns, problem }: StepsProps) {
  const errorId = useId()
  const set = (id: number, change: Partial<TypedStep>) =>
    onChange(steps.map((step) => (step.id === id ? { ...step, ...change } : step)))
  const add = () => onChange([...steps, { id: Math.max(...steps.map(({ id }) => id)) + 1, from: '', earns: '' }])
  return (
    <fieldset className="steps" aria-describedby={problem ? errorId : undefined}>
      <legend>{words.steps}</legend>
      {steps.map(({ id, from: value, earns: reward }, index) => (
        <div key={id} className="step">
          <label>
            {from}
            <input
              name="steps"
              value={value}
              inputMode="decimal"
              autoComplete="off"
              readOnly={index === 0}
              onChange={(event) => set(id, { from: event.target.value })}
            />
          </label>
          <label>
            {earns}
            <input
              name="steps"
              value={reward}
              inputMode="decimal"
              autoComplete="off"
              onChange={(event) => set(id, { earns: event.target.value })}
            />
          </label>
          <button
            type="button"
            className="quiet-button"
            disabled={index === 0}
            onClick={() => onChange(steps.filter((step) => step.id !== id))}
          >
            {words.removeStep}
            <span className="unseen"> {words.step(index + 1)}</span>
          </button>
        </div>
      ))}
      {problem && (
        <p id={errorId} className="error">
          {problem}
        </p>
      )}
      <button type="button" onClick={add} disabled={steps.length >= mostSteps}>
        {words.addStep}
      </button>
    </fieldset>
  )
}
