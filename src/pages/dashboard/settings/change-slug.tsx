import { serviceUrl } from '../address.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'

const words = texts.settings.program.changeSlug

type ChangeSlugProps = { from: string; to: string | undefined; onClose(): void; onConfirm(): Promise<void> }

/** Says what a new slug breaks, and asks for the present one. */
export const ChangeSlug = ({ from, to, onClose, onConfirm }: ChangeSlugProps) => (
  <Dialog title={words.title} isOpen={to !== undefined} onClose={onClose}>
    <ul className="plain-list">
      <li>{words.links(`${serviceUrl(`r/${from}`)}/…`)}</li>
      <li>{words.requests}</li>
      <li>{words.bookmarks}</li>
    </ul>
    <SlugForm from={from} onConfirm={onConfirm} />
  </Dialog>
)

function SlugForm({ from, onConfirm }: Pick<ChangeSlugProps, 'from' | 'onConfirm'>) {
  const form = useFields({ present: '' }, ({ present }) =>
    present.trim() === from ? {} : { present: words.wrong(from) },
  )
  return (
    <DialogForm form={form} onSubmit={form.handleSubmit(onConfirm)} action={words.action} isDanger>
      <TextField form={form} name="present" label={words.present(from)} />
    </DialogForm>
  )
}
