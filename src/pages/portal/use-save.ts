import { type FormEvent, useContext, useEffect, useRef, useState } from 'react'
import type { Document } from '../parts/graphql.ts'
import { QueryError } from './query.ts'
import { problemText, refusalText } from './service-texts.ts'
import { texts } from './texts.ts'
import { QueryContext } from './use-query.ts'

export type Problems = Readonly<Record<string, string>>

/** The values of a form's fields. An empty field is null, which clears it. */
export type Entered = Readonly<Record<string, string | null>>

/** What the browser finds wrong: addresses of a wrong form. */
function problemsOf(form: HTMLFormElement): Problems {
  const { notEmail, notUrl } = texts.forms
  const inputs = [...form.elements].filter((element) => element instanceof HTMLInputElement)
  const wrong = inputs.filter(({ validity }) => validity.typeMismatch)
  return Object.fromEntries(wrong.map(({ name, type }) => [name, type === 'url' ? notUrl : notEmail]))
}

/**
 * A form that is saved by a mutation. Problems are shown at their fields, and the first of them gets the focus.
 * @param variablesOf what the mutation needs; `problems` rejects the form before it is sent
 * @param storedIn the values as the service has stored them: an IBAN without blanks
 */
export function useSave<Data, Variables>(
  operation: Document<Data, Variables>,
  variablesOf: (entered: Entered, data: FormData) => Variables | { problems: Problems },
  onSaved: (data: Data) => string,
  storedIn: (data: Data) => object | undefined = () => undefined,
) {
  const runQuery = useContext(QueryContext)
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<Problems>({})
  const [status, setStatus] = useState('')
  const [isSaving, setSaving] = useState(false)

  useEffect(() => {
    if (Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [problems])

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSaving) return
    const data = new FormData(event.currentTarget)
    const entered = Object.fromEntries([...data].map(([name, value]) => [name, String(value).trim() || null]))
    const variables = variablesOf(entered, data)
    const own = hasProblems(variables) ? variables.problems : {}
    const found = { ...problemsOf(event.currentTarget), ...own }
    setProblems(found)
    setStatus(Object.keys(found).length > 0 ? texts.forms.check : '')
    if (Object.keys(found).length > 0 || hasProblems(variables)) return
    setSaving(true)
    try {
      const saved = await runQuery(operation, variables)
      showStored(form.current, data, storedIn(saved))
      setStatus(onSaved(saved))
    } catch (error) {
      reject(error)
    }
    setSaving(false)
  }

  function reject(error: unknown) {
    const { failure, rejection } = error instanceof QueryError ? error : new QueryError('rejected')
    const atFields = Object.fromEntries(
      (rejection?.problems ?? []).flatMap((one) => (one.field ? [[one.field, problemText(one)]] : [])),
    )
    setProblems(atFields)
    const isAtFields = Object.keys(atFields).length > 0
    setStatus(isAtFields ? texts.forms.check : rejection ? refusalText(rejection) : texts.failures[failure])
  }

  return { form, problems, status, isSaving, save }
}

/** Fields are uncontrolled, so what was sent stays in them unless it is replaced. What was typed since then stays. */
function showStored(form: HTMLFormElement | null, sent: FormData, stored: object = {}): void {
  for (const [name, value] of Object.entries(stored)) {
    const control = form?.elements.namedItem(name)
    const isText =
      control instanceof HTMLTextAreaElement || (control instanceof HTMLInputElement && control.type !== 'checkbox')
    if (isText && control.value === sent.get(name)) control.value = value ?? ''
  }
}

const hasProblems = (variables: unknown): variables is { problems: Problems } =>
  typeof variables === 'object' && variables !== null && 'problems' in variables
