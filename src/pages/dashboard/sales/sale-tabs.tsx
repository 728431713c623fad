import { Tabs } from '../money/tabs.tsx'
import { texts } from '../texts.ts'

const words = texts.sales

const tabs = [
  { key: 'attributed', name: words.attributed, path: 'sales', search: {} },
  { key: 'unattributed', name: words.unattributed, path: 'sales', search: { show: 'unattributed' } },
  { key: 'dismissed', name: words.lost.dismissed, path: 'sales', search: { show: 'dismissed' } },
  { key: 'events', name: words.events.title, path: 'sales/events', search: {} },
  { key: 'customers', name: texts.customers.title, path: 'customers', search: {} },
] as const

export const SaleTabs = ({ current }: { current: (typeof tabs)[number]['key'] }) => (
  <Tabs
    name={words.parts}
    tabs={tabs.map(({ key, name, path, search }) => ({ name, path, search, isCurrent: key === current }))}
  />
)
