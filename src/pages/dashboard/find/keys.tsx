import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'

const words = texts.keys

/** The keys of the dashboard. */
export const KeysHelp = ({ onClose }: { onClose(): void }) => (
  <Dialog title={words.title} isOpen onClose={onClose}>
    <dl className="keys">
      {words.list.map(({ keys, does }) => (
        <div key={does}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
