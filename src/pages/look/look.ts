// /look.js: runs before anything is shown, so that no page flashes in other colours. On pages without another script it
// also makes the choice of the theme work.
import { currentTheme, onTheme, setTheme, themes } from './theme.ts'

document.addEventListener('DOMContentLoaded', () => {
  for (const choice of document.querySelectorAll<HTMLSelectElement>('select[data-theme-choice]')) {
    const show = () => {
      choice.value = currentTheme()
    }
    show()
    onTheme(show)
    choice.addEventListener('change', () => setTheme(themes.find((one) => one === choice.value) ?? 'system'))
    choice.closest('label')?.removeAttribute('hidden')
  }
})
