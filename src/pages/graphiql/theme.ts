import { useMonaco } from '@graphiql/react'
import { useEffect, useSyncExternalStore } from 'react'
import { isDark, onTheme } from '../look/theme.ts'

export const useIsDark = (): boolean => useSyncExternalStore(onTheme, isDark)

const accents = { light: '#1b6b5a', dark: '#6fcbb3' }
/** The text of a selected entry, on the pale accent. */
const selectedInks = { light: '#23282b', dark: '#e6e9e7' }
const quiet = { light: '#5d666b', dark: '#a0aaa8' }
const backgrounds = { light: '#ffffff', dark: '#1d2324' }

/** Redefines GraphiQL's editor themes with the colours of the page. */
export function useTheme(): void {
  const monaco = useMonaco((state) => state.monaco)
  const isInDark = useIsDark()
  useEffect(() => {
    if (!monaco) return
    for (const scheme of ['light', 'dark'] as const) {
      const accent = accents[scheme]
      monaco.editor.defineTheme(`graphiql-${scheme.toUpperCase()}`, {
        base: scheme === 'dark' ? 'vs-dark' : 'vs',
        inherit: true,
        rules: [
          { token: 'argument.identifier.gql', foreground: accent.slice(1) },
          { token: 'comment', foreground: quiet[scheme].slice(1) },
        ],
        colors: {
          'editor.background': '#ffffff00',
          'scrollbar.shadow': '#ffffff00',
          'editorLineNumber.foreground': quiet[scheme],
          'editorLineNumber.dimmedForeground': quiet[scheme],
          focusBorder: accent,
          'textLink.foreground': accent,
          'textLink.activeForeground': accent,
          'list.hoverBackground': `${accent}22`,
          'list.highlightForeground': accent,
          'list.focusHighlightForeground': selectedInks[scheme],
          'editorSuggestWidget.selectedForeground': selectedInks[scheme],
          'editorSuggestWidget.selectedIconForeground': selectedInks[scheme],
          'editorSuggestWidget.focusHighlightForeground': selectedInks[scheme],
          'quickInputList.focusForeground': selectedInks[scheme],
          'quickInputList.focusBackground': `${accent}33`,
          'menu.selectionForeground': selectedInks[scheme],
          'editorSuggestWidget.selectedBackground': `${accent}33`,
          'editorSuggestWidget.background': backgrounds[scheme],
          'editorHoverWidget.background': backgrounds[scheme],
          'editorWidget.background': backgrounds[scheme],
          'menu.background': backgrounds[scheme],
          'menu.selectionBackground': `${accent}33`,
        },
      })
    }
    monaco.editor.setTheme(isInDark ? 'graphiql-DARK' : 'graphiql-LIGHT')
  }, [monaco, isInDark])
}
