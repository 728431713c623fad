import { useNavigate, useRouter } from '@tanstack/react-router'
import { serviceAddress } from '../address.ts'
import { post } from '../api/post.ts'
import { forgetSession } from '../session/session.ts'
import { useSession } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'

/** The page's frame has it. */
const version = document.querySelector('meta[name=version]')?.getAttribute('content') ?? ''

export function AccountMenu() {
  const { person, newerVersion } = useSession()
  const navigate = useNavigate()
  const router = useRouter()
  const show = useToast()
  async function signOut() {
    try {
      await post('auth/sign-out', {})
    } catch (error) {
      return show((error as Error).message)
    }
    forgetSession()
    await router.invalidate()
    await navigate({ to: '/sign-in' })
  }
  return (
    <div>
      {newerVersion && <p className="newer quiet">{texts.shell.newer(newerVersion)}</p>}
      <Menu
        className="account-button"
        side="top"
        label={
          <>
            <span className="initials" aria-hidden="true">
              {initialsOf(person.name)}
            </span>
            <span className="account-name">
              <span className="unseen">{texts.shell.accountOf} </span>
              {person.name}
            </span>
          </>
        }
      >
        <p className="menu-title">{person.email}</p>
        <MenuItem onSelect={() => navigate({ to: '/account' })}>{texts.views.account}</MenuItem>
        {person.isOperator && (
          <MenuItem onSelect={() => navigate({ to: '/programs' })}>{texts.views.programs}</MenuItem>
        )}
        <MenuLine />
        <MenuItem onSelect={() => location.assign(serviceAddress('graphql'))}>{texts.shell.graphiql}</MenuItem>
        <MenuItem onSelect={() => location.assign(serviceAddress('docs'))}>{texts.shell.reference}</MenuItem>
        <MenuLine />
        <MenuItem onSelect={() => void signOut()}>{texts.shell.signOut}</MenuItem>
        <MenuLine />
        <p className="menu-title">{texts.shell.version(version)}</p>
      </Menu>
    </div>
  )
}

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
