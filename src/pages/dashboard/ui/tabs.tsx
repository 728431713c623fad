import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

type Tab = { key: string; name: string; content: ReactNode }

/** Parts of a view of which one is shown. Arrow keys change between them. */
export const Tabs = ({ tabs }: { tabs: readonly Tab[] }) => (
  <BaseTabs.Root defaultValue={tabs[0]?.key}>
    <BaseTabs.List className="tab-list">
      {tabs.map(({ key, name }) => (
        <BaseTabs.Tab key={key} value={key} className="tab">
          {name}
        </BaseTabs.Tab>
      ))}
    </BaseTabs.List>
    {tabs.map(({ key, content }) => (
      <BaseTabs.Panel key={key} value={key}>
        {content}
      </BaseTabs.Panel>
    ))}
  </BaseTabs.Root>
)
