import { type ReactNode, useState } from 'react'
import { useAsked } from '../find/use-asked.ts'
import { List } from '../list/list.tsx'
import type { ListProps } from '../list/props.ts'
import type { PageVariables } from '../list/search.ts'
import { useLocalListState } from '../list/use-list-state.ts'
import { useProgram } from '../session/use-program.ts'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'

type Props<Data, Node> = Pick<ListProps<Data, PageVariables, Node>, 'noun' | 'document' | 'connection' | 'columns'> & {
  words: { title: string; lead: string; none: string; noneText: string; create: string; createLead: string }
  /** The form that creates what the card lists. */
  form(onDone: () => void): ReactNode
}

/** A card with a short list, and a dialog in which people with the right to it create what the card lists. */
export function ListCard<Data, Node extends { id: string }>({ words, form, ...list }: Props<Data, Node>) {
  const { canChange } = useProgram()
  const state = useLocalListState()
  const [isCreating, setCreating] = useState(false)
  useAsked(list.noun, () => setCreating(canChange))
  const create = canChange && (
    <button type="button" onClick={() => setCreating(true)}>
      {words.create}
    </button>
  )
  return (
    <Card title={words.title} lead={words.lead} actions={create}>
      <List
        {...list}
        state={state}
        size={10}
        variables={(_, page) => page}
        empty={{ title: words.none, text: words.noneText }}
      />
      <Dialog title={words.create} lead={words.createLead} isOpen={isCreating} onClose={() => setCreating(false)}>
        {form(() => setCreating(false))}
      </Dialog>
    </Card>
  )
}
