import { Tabs } from '../money/tabs.tsx'
import { texts } from '../texts.ts'

const words = texts.payouts

export const PayoutTabs = ({
  current,
}: {
  current: 'open' | 'preview' | 'runs' | 'paid' | 'statements' | 'invoices'
}) => (
  <Tabs
    name={words.parts}
    tabs={[
      { name: words.toPay, path: 'payouts', search: {}, isCurrent: current === 'open' },
      { name: words.preview, path: 'payouts/preview', search: {}, isCurrent: current === 'preview' },
      { name: texts.payoutRuns.tab, path: 'payouts/runs', search: {}, isCurrent: current === 'runs' },
      { name: words.paid, path: 'payouts', search: { state: 'paid' }, isCurrent: current === 'paid' },
      { name: texts.statements.tab, path: 'payouts/statements', search: {}, isCurrent: current === 'statements' },
      { name: texts.invoices.tab, path: 'payouts/invoices', search: {}, isCurrent: current === 'invoices' },
    ]}
  />
)
