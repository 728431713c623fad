// /join/frame.js: in a frame, the join page says how high it is. A second click on its button sends nothing.
import { isFramed, reportHeight } from './frame.ts'

if (isFramed) addEventListener('DOMContentLoaded', reportHeight)

addEventListener('DOMContentLoaded', () => {
  const form = document.querySelector('form')
  const button = form?.querySelector('button')
  if (!form || !button) return
  form.addEventListener('submit', () => {
    button.disabled = true
  })
  // Browsers can show the page as it was left when people go back.
  addEventListener('pageshow', () => {
    button.disabled = false
  })
})
