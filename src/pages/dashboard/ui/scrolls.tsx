import type { ReactNode } from 'react'

/**
 * Holds content that can be wider than the screen. The keyboard scrolls it too. It is not a landmark.
 * @param name its name
 */
export const Scrolls = ({ name, className, children }: { name: string; className?: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll
  <div role="group" className={className ? `scrolls ${className}` : 'scrolls'} aria-label={name} tabIndex={0}>
    {children}
  </div>
)
