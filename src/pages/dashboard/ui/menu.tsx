import { Menu as BaseMenu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

type MenuProps = {
  /** What the button shows. */
  label: ReactNode
  className?: string
  side?: 'bottom' | 'top'
  align?: 'start' | 'end'
  children: ReactNode
}

/** A button that opens a menu. */
export const Menu = ({ label, className, side = 'bottom', align = 'start', children }: MenuProps) => (
  <BaseMenu.Root>
    <BaseMenu.Trigger className={className}>{label}</BaseMenu.Trigger>
    <BaseMenu.Portal>
      <BaseMenu.Positioner side={side} align={align} sideOffset={6} className="menu-place">
        <BaseMenu.Popup className="menu">{children}</BaseMenu.Popup>
      </BaseMenu.Positioner>
    </BaseMenu.Portal>
  </BaseMenu.Root>
)

type ItemProps = { onSelect(): void; isCurrent?: boolean; isDanger?: boolean; children: ReactNode }

export const MenuItem = ({ onSelect, isCurrent, isDanger, children }: ItemProps) => (
  <BaseMenu.Item
    className={isDanger ? 'menu-item danger-text' : 'menu-item'}
    aria-current={isCurrent || undefined}
    onClick={onSelect}
  >
    {children}
  </BaseMenu.Item>
)

type CheckProps = { isChecked: boolean; onChange(): void; children: ReactNode }

/** An item that is on or off. The menu stays open. */
export const MenuCheck = ({ isChecked, onChange, children }: CheckProps) => (
  <BaseMenu.CheckboxItem className="menu-item" checked={isChecked} onCheckedChange={onChange}>
    <span className="menu-check">
      <BaseMenu.CheckboxItemIndicator>
        <Check />
      </BaseMenu.CheckboxItemIndicator>
    </span>
    {children}
  </BaseMenu.CheckboxItem>
)

export const MenuLine = () => <BaseMenu.Separator className="menu-line" />
