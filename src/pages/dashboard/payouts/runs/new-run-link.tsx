import { Link } from '@tanstack/react-router'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'

export function NewRunLink() {
  const { program } = useProgram()
  return (
    <Link to="/$program/payouts/runs/new" params={{ program: program.slug }} className="button primary">
      {texts.payoutRuns.new}
    </Link>
  )
}
