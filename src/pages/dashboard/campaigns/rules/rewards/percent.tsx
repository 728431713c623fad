import { writeDecimal } from '../../../../parts/amount.ts'
import { TextField } from '../../../form/fields.tsx'
import { texts } from '../../../texts.ts'
import { formatShare, isPercentage, percentOf } from './percentage.ts'
import { defineReward } from './reward.ts'

const words = texts.campaigns.rules

export const percent = defineReward<{ percent: string }>({
  empty: { percent: '' },
  Fields: ({ form }) => <TextField form={form} name="percent" label={words.percent} inputMode="decimal" />,
  problems: (values) => ({ percent: isPercentage(values.percent) ? undefined : words.notPercent }),
  input: (values) => ({ percent: percentOf(values.percent) }),
  isAboveAll: (values) => percentOf(values.percent) > 100,
  typed: (reward) => (reward.percent === null ? null : { percent: writeDecimal(String(reward.percent)) }),
  said: (reward) => (reward.percent === null ? null : formatShare(reward.percent)),
})
