import { useGraphiQL, useMonaco } from '@graphiql/react'
import { useEffect, useSyncExternalStore } from 'react'

const dark = matchMedia('(prefers-color-scheme: dark)')
const subscribe = (listener: () => void) => {
  dark.addEventListener('change', listener)
  return () => dark.removeEventListener('change', listener)
}

/** GraphiQL's theme setting, else the system's. */
export function useIsDark(): boolean {
  const theme = useGraphiQL((state) => state.theme)
  const systemIsDark = useSyncExternalStore(subscribe, () => dark.matches)
  return theme ? theme === 'dark' : systemIsDark
}

const accents = { light: '#0f766e', dark: '#2dd4bf' }
/** The text of a selected entry, on the pale accent. */
const selectedInks = { light: '#134e4a', dark: '#ccfbf1' }
const backgrounds = { light: '#ffffff', dark: '#17212f' }

/** Redefines GraphiQL's editor themes with the colours of the page. */
export function useTheme(): void {
  const monaco = useMonaco((state) => state.monaco)
  const isDark = useIsDark()
  useEffect(() => {
    if (!monaco) return
    for (const scheme of ['light', 'dark'] as const) {
      const accent = accents[scheme]
      monaco.editor.defineTheme(`graphiql-${scheme.toUpperCase()}`, {
        base: scheme === 'dark' ? 'vs-dark' : 'vs',
        inherit: true,
        rules: [{ token: 'argument.identifier.gql', foreground: accent.slice(1) }],
        colors: {
          'editor.background': '#ffffff00',
          'scrollbar.shadow': '#ffffff00',
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
    monaco.editor.setTheme(isDark ? 'graphiql-DARK' : 'graphiql-LIGHT')
  }, [monaco, isDark])
}
