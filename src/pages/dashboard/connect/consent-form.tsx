import { rememberedProgram } from '../../parts/remembered-program.ts'
import { post } from '../api/post.ts'
import { FormFailure, SelectField } from '../form/fields.tsx'
import { showError, useFields } from '../form/use-fields.ts'
import { useSession } from '../session/use-program.ts'
import { texts } from '../texts.ts'

const words = texts.connect

/** What the service knows about the application and its request. */
export type Asked = {
  name: string
  /** Null for an application that nobody has checked. */
  host: string | null
  goesTo: { host: string; isOnDevice: boolean }
  asksToPropose: boolean
}

type Props = { asked: Asked; request: Record<string, string>; onDone(redirectTo: string): void }

export function ConsentForm({ asked, request, onDone }: Props) {
  const { programs } = useSession()
  const remembered = programs.find(({ program }) => program.slug === rememberedProgram()) ?? programs[0]
  const form = useFields({ programId: remembered?.program.id ?? '', canPropose: asked.asksToPropose }, () => ({}))
  const decide = (isAllowed: boolean) =>
    form.handleSubmit(async (values) => {
      try {
        const { redirectTo } = await post<{ redirectTo: string }>('connect', { ...request, ...values, isAllowed })
        onDone(redirectTo)
      } catch (error) {
        showError(form, error)
      }
    })
  const { host, isOnDevice } = asked.goesTo
  const isBusy = form.formState.isSubmitting
  return (
    <form onSubmit={decide(true)} noValidate>
      <dl className="facts">
        <dt>{words.from}</dt>
        <dd>{asked.host === null ? asked.name : words.fromHost(asked.name, asked.host)}</dd>
        <dt>{words.goesTo}</dt>
        <dd>{isOnDevice ? words.onDevice(host) : host}</dd>
      </dl>
      {asked.host === null && <p className="hint">{words.unknownOwner}</p>}
      {programs.length === 0 ? (
        <p>{words.noProgram}</p>
      ) : (
        <>
          <SelectField
            form={form}
            name="programId"
            label={words.program}
            options={programs.map(({ program }) => ({ value: program.id, name: program.name }))}
          />
          <p>{words.reads}</p>
          {asked.asksToPropose && (
            <label className="check">
              <input type="checkbox" {...form.register('canPropose')} /> {words.proposes}
            </label>
          )}
        </>
      )}
      <FormFailure form={form} />
      {programs.length > 0 && (
        <button type="submit" className="primary" disabled={isBusy}>
          {words.allow}
        </button>
      )}
      <button type="button" onClick={decide(false)} disabled={isBusy}>
        {words.deny}
      </button>
    </form>
  )
}
