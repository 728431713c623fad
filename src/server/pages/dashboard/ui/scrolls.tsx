import type { ReactNode } from 'react'

/** Holds what can be wider than the screen. The keyboard scrolls it too. @param name what is in it */
export const Scrolls = ({ name, className, children }: { name: string; className?: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll
  <section className={className ? `scrolls ${className}` : 'scrolls'} aria-label={name} tabIndex={0}>
    {children}
  </section>
)
