import { Tabs } from '../money/tabs.tsx'
import { texts } from '../texts.ts'

const words = texts.sales

const tabs = [
  { key: 'attributed', name: words.attributed, search: {} },
  { key: 'unattributed', name: words.unattributed, search: { show: 'unattributed' } },
  { key: 'dismissed', name: words.lost.dismissed, search: { show: 'dismissed' } },
] as const

export const SaleTabs = ({ current }: { current: (typeof tabs)[number]['key'] }) => (
  <Tabs
    name={words.parts}
    tabs={tabs.map(({ key, name, search }) => ({ name, path: 'sales', search, isCurrent: key === current }))}
  />
)
