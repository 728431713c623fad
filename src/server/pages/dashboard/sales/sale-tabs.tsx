import { Tabs } from '../money/tabs.tsx'
import { texts } from '../texts.ts'

const words = texts.sales

export const SaleTabs = ({ isUnattributed }: { isUnattributed: boolean }) => (
  <Tabs
    name={words.parts}
    tabs={[
      { name: words.attributed, path: 'sales', search: {}, isCurrent: !isUnattributed },
      { name: words.unattributed, path: 'sales', search: { show: 'unattributed' }, isCurrent: isUnattributed },
    ]}
  />
)
