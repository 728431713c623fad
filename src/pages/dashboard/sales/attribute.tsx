import { useEffect, useState } from 'react'
import {
  AttributeSaleDocument,
  FindSellersDocument,
  type SellerFragment,
  type UnattributedFragment,
} from '../../../generated/dashboard/sales/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { formatDate } from '../../parts/locale.ts'
import { nameOf } from '../affiliates/affiliate.tsx'
import { useAction, useData } from '../api/use-data.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.sales.lost

/** Finds an affiliate, and gives them the sale. */
export function Attribute({ sale, onDone }: { sale: UnattributedFragment; onDone(): void }) {
  const [attribute] = useAction(AttributeSaleDocument)
  const [chosen, setChosen] = useState<SellerFragment>()
  const show = useToast()
  const form = useFields({ search: '' }, () => ({}))
  const search = usePaused(form.watch('search'))
  const submit = form.handleSubmit(async () => {
    if (!chosen) return form.setError('root', { message: words.choose })
    const { failure } = await attribute({ input: { id: sale.id, affiliateId: chosen.id } })
    if (failure !== undefined) return form.setError('root', { message: failure })
    show(words.done(nameOf(chosen)))
    onDone()
  })
  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      action={words.action(chosen && nameOf(chosen))}
      onCancel={onDone}
      isDisabled={!chosen}
    >
      <p>{words.text(formatMoney(sale.amountCents, sale.currency), formatDate(sale.occurredAt))}</p>
      <TextField form={form} name="search" label={words.find} hint={words.findHint} />
      {search !== '' && <Found search={search} chosen={chosen} onChoose={setChosen} />}
    </DialogForm>
  )
}

type FoundProps = { search: string; chosen: SellerFragment | undefined; onChoose(affiliate: SellerFragment): void }

function Found({ search, chosen, onChoose }: FoundProps) {
  const { data, failure } = useData(FindSellersDocument, { search })
  const found = data?.affiliates.nodes ?? []
  if (failure) return <p role="alert">{failure}</p>
  if (data && found.length === 0) return <p role="status">{words.noneFound}</p>
  return (
    <fieldset className="check-group">
      <legend>{words.found}</legend>
      <div className="checks">
        {found.map((affiliate) => (
          <label key={affiliate.id}>
            <input
              type="radio"
              name="affiliate"
              checked={affiliate.id === chosen?.id}
              onChange={() => onChoose(affiliate)}
            />{' '}
            {nameOf(affiliate)} <span className="quiet">{affiliate.email}</span>
          </label>
        ))}
      </div>
      {data && data.affiliates.totalCount > found.length && <p className="hint">{words.moreFound}</p>}
    </fieldset>
  )
}

const pauseMs = 300

/** The text once nothing was typed for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
