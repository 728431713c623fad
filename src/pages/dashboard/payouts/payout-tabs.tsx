import { Tabs } from '../money/tabs.tsx'
import { texts } from '../texts.ts'

const words = texts.payouts

export const PayoutTabs = ({ current }: { current: 'open' | 'preview' | 'paid' }) => (
  <Tabs
    name={words.parts}
    tabs={[
      { name: words.toPay, path: 'payouts', search: {}, isCurrent: current === 'open' },
      { name: words.preview, path: 'payouts/preview', search: {}, isCurrent: current === 'preview' },
      { name: words.paid, path: 'payouts', search: { state: 'paid' }, isCurrent: current === 'paid' },
    ]}
  />
)
