import { useGraphiQL } from '@graphiql/react'
import { useEffect } from 'react'

let isTabFocusModeOn = false

/**
 * Sets the editors' options. Long lines wrap. Tab moves the focus instead of indenting, so that keyboard users can
 * leave an editor. Monaco has one switch for all of its editors; Ctrl-M turns it back.
 */
export function useEditorOptions(): void {
  const { queryEditor, variableEditor, responseEditor } = useGraphiQL((state) => ({
    queryEditor: state.queryEditor,
    variableEditor: state.variableEditor,
    responseEditor: state.responseEditor,
  }))
  useEffect(() => {
    for (const editor of [queryEditor, variableEditor, responseEditor])
      editor?.updateOptions({ wordWrap: 'on', fontSize: 13, lineHeight: 20 })
  }, [queryEditor, variableEditor, responseEditor])
  useEffect(() => {
    if (!queryEditor || isTabFocusModeOn) return
    isTabFocusModeOn = true
    queryEditor.trigger('page', 'editor.action.toggleTabFocusMode', null)
  }, [queryEditor])
}
