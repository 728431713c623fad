import type { UseFormReturn } from 'react-hook-form'
import { eventMeanings } from '../../../modules/events/types.ts'
import { texts } from '../texts.ts'
import type { EndpointFields } from './endpoint-values.ts'
import { eventGroups } from './event-groups.ts'

const words = texts.developers.webhooks

/** The types of events, in groups that can be chosen as a whole. */
export function EventTypesField({ form }: { form: UseFormReturn<EndpointFields> }) {
  const chosen = new Set(form.watch('eventTypes'))
  const choose = (types: readonly string[], isChosen: boolean) => {
    const others = [...chosen].filter((type) => !types.includes(type))
    form.setValue('eventTypes', isChosen ? [...others, ...types] : others, { shouldDirty: true })
  }
  return (
    <fieldset className="check-group">
      <legend>{words.events}</legend>
      <p className="hint">{words.eventsHint}</p>
      <div className="checks event-groups">
        {eventGroups.map(({ subject, name, types }) => {
          const count = types.filter((type) => chosen.has(type)).length
          return (
            <div key={subject}>
              <label>
                <input
                  type="checkbox"
                  checked={count === types.length}
                  ref={(box) => {
                    if (box) box.indeterminate = count > 0 && count < types.length
                  }}
                  onChange={({ target }) => choose(types, target.checked)}
                />
                {words.allOf(name)}
              </label>
              <details>
                <summary>{words.chosenOf(count, types.length)}</summary>
                {types.map((type) => (
                  <label key={type}>
                    <input
                      type="checkbox"
                      checked={chosen.has(type)}
                      onChange={({ target }) => choose([type], target.checked)}
                    />
                    <span>
                      <code>{type}</code> <span className="quiet">{eventMeanings[type]}</span>
                    </span>
                  </label>
                ))}
              </details>
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}
