import { useWatch } from 'react-hook-form'
import { CreateRuleDocument } from '../../../../generated/dashboard/campaigns/graphql.ts'
import { useAction } from '../../api/use-data.ts'
import { DialogForm } from '../../form/dialog-form.tsx'
import { SelectField, TextField } from '../../form/fields.tsx'
import { showRejection, useFields } from '../../form/use-fields.ts'
import { AffiliatesPicker } from '../../picker/affiliates-picker.tsx'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { useToast } from '../../ui/toast.tsx'
import { AboveAll } from './above-all.tsx'
import { RuleCost } from './cost.tsx'
import { Days } from './days.tsx'
import { checkRuleValues, isAboveAll, newRule, paidIn, type RuleValues, ruleInputOf } from './values.ts'
import type { RuleGroups } from './words.ts'

const words = texts.campaigns.rules

type Props = { campaign: { id: string; commissionCurrency: string }; groups: RuleGroups; onDone(): void }

const optionsOf = (names: Readonly<Record<string, string>>, all?: string) => [
  ...(all === undefined ? [] : [{ value: '', name: all }]),
  ...Object.entries(names).map(([value, name]) => ({ value, name })),
]

/** A new rule, and what it would have cost. */
export function CreateRule({ campaign, groups, onDone }: Props) {
  const { program } = useProgram()
  const show = useToast()
  const [create] = useAction(CreateRuleDocument)
  const currencies = { reward: campaign.commissionCurrency, sale: program.currency }
  const check = checkRuleValues(currencies)
  const form = useFields<RuleValues>(newRule, check)
  const values = useWatch({ control: form.control }) as RuleValues
  const submit = form.handleSubmit(async (given) => {
    const outcome = await create({ input: ruleInputOf(campaign.id, currencies, given) })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.created(given.name))
    onDone()
  })
  const capCurrency = paidIn(values, currencies).toUpperCase()
  const isReady = Object.keys(check(values)).length === 0
  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      action={words.add}
      note={isReady ? <RuleCost rule={ruleInputOf(campaign.id, currencies, values)} /> : words.costLater}
    >
      <TextField form={form} name="name" label={texts.fields.name} hint={words.nameHint} />
      <div className="field-pair">
        <SelectField form={form} name="kind" label={words.reward} options={optionsOf(words.kinds)} />
        {values.kind === 'percent' && (
          <TextField form={form} name="percent" label={words.percent} inputMode="decimal" />
        )}
        {(values.kind === 'amount' || values.kind === 'lead') && (
          <TextField
            form={form}
            name="amount"
            label={words.amountIn(currencies.reward.toUpperCase())}
            inputMode="decimal"
          />
        )}
      </div>
      {values.kind === 'tiers' && (
        <>
          <div className="field-pair">
            <SelectField form={form} name="measure" label={words.measure} options={optionsOf(words.measures)} />
            <SelectField form={form} name="period" label={words.tierPeriod} options={optionsOf(words.tierPeriods)} />
          </div>
          <TextField form={form} name="steps" label={words.steps} hint={words.stepsHint} />
          <SelectField form={form} name="scope" label={words.scope} options={optionsOf(words.scopes)} />
        </>
      )}
      {isAboveAll(values, currencies.sale) && <AboveAll form={form} />}
      <SelectField
        form={form}
        name="appliesTo"
        label={words.appliesTo}
        options={optionsOf(words.customers, words.choose)}
      />
      <AffiliatesPicker
        label={words.affiliate}
        chosen={values.affiliates}
        onChoose={(affiliates) => form.setValue('affiliates', affiliates)}
        nobody={words.anyAffiliate}
      />
      {groups.length > 0 && (
        <SelectField
          form={form}
          name="group"
          label={words.group}
          options={optionsOf(Object.fromEntries(groups.map(({ id, name }) => [id, name])), words.anyGroup)}
        />
      )}
      <Days form={form} />
      {values.kind !== 'lead' && (
        <>
          <TextField form={form} name="coupons" label={words.coupons} hint={words.couponsHint} />
          <TextField form={form} name="products" label={words.products} hint={words.productsHint} />
          <div className="field-pair">
            <SelectField
              form={form}
              name="payment"
              label={words.payment}
              options={optionsOf(words.payments, words.any)}
            />
            <SelectField
              form={form}
              name="interval"
              label={words.interval}
              options={optionsOf(words.intervals, words.any)}
            />
          </div>
          <div className="field-pair">
            <TextField
              form={form}
              name="minimum"
              label={words.minimum(program.currency.toUpperCase())}
              inputMode="decimal"
            />
            <TextField
              form={form}
              name="maximum"
              label={words.maximum(program.currency.toUpperCase())}
              inputMode="decimal"
            />
          </div>
          <div className="field-pair">
            <TextField form={form} name="perSale" label={words.perSale(capCurrency)} inputMode="decimal" />
            <TextField form={form} name="perMonth" label={words.perMonth(capCurrency)} inputMode="decimal" />
            <TextField form={form} name="perYear" label={words.perYear(capCurrency)} inputMode="decimal" />
          </div>
        </>
      )}
    </DialogForm>
  )
}
