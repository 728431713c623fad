import { Menu as BaseMenu } from '@base-ui/react/menu'
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

export const MenuLine = () => <BaseMenu.Separator className="menu-line" />
