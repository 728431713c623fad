import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown } from 'lucide-react'
import { useProgram, useSession } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'

/** The program that is open. With several programs it is a menu. */
export function ProgramSwitcher() {
  const { program } = useProgram()
  const { programs, person } = useSession()
  const navigate = useNavigate()
  /** Programs of one name differ by their slugs. */
  const slugOf = ({ id, name, slug }: typeof program) =>
    programs.some((other) => other.program.name === name && other.program.id !== id) && (
      <span className="quiet"> {slug}</span>
    )
  const hasMenu = programs.length > 1 || person.isOperator
  const label = (
    <>
      <span className="program-mark" aria-hidden="true">
        {program.name.charAt(0).toUpperCase()}
      </span>
      <span className="program-name">
        <span className="unseen">{texts.shell.program} </span>
        {program.name}
        {slugOf(program)}
      </span>
      {program.isSandbox && <span className="badge plain">{texts.shell.sandbox}</span>}
      {hasMenu && <ChevronsUpDown className="end" />}
    </>
  )
  if (!hasMenu) return <p className="program-button">{label}</p>
  return (
    <Menu className="program-button" label={label}>
      <div className="menu-scroll">
        {programs.map((one) => (
          <MenuItem
            key={one.program.id}
            isCurrent={one.program.id === program.id}
            onSelect={() => navigate({ to: '/$program/home', params: { program: one.program.slug } })}
          >
            {one.program.name}
            {slugOf(one.program)}
          </MenuItem>
        ))}
      </div>
      {person.isOperator && (
        <>
          <MenuLine />
          <MenuItem onSelect={() => navigate({ to: '/programs' })}>{texts.shell.allPrograms}</MenuItem>
        </>
      )}
    </Menu>
  )
}
