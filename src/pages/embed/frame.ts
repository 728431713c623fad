import type { ToHost } from './messages.ts'

export const isFramed = parent !== window

/** Every origin may read these messages: they hold no secret, and only origins of the program show the frame. */
export const sendToHost = (message: ToHost): void => parent.postMessage(message, '*')

/** The page around the frame makes it as high as its content. */
export function reportHeight(): void {
  document.documentElement.classList.add('framed')
  const { body } = document
  new ResizeObserver(() =>
    sendToHost({ tributary: 'height', height: Math.ceil(body.getBoundingClientRect().height) }),
  ).observe(body)
}
