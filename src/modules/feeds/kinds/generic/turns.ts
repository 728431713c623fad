import { LRUCache } from 'lru-cache'
import { createEvaluator, type Evaluated, type Evaluator, type Request } from './evaluator.ts'
import { BudgetUsed, budgetMs } from './stopped.ts'

/** Processes at most. One program uses one at a time, so that it cannot hold them all. */
const mostEvaluators = 2
const budgetEveryMs = 60_000

type Account = { usedMs: number; endsAt: number; servedAt: number }
type Job = { account: Account; request: Request; resolve(answer: Evaluated): void; reject(error: unknown): void }

const accounts = new LRUCache<string, Account>({ max: 10_000 })
const idle: Evaluator[] = []
const waiting: Job[] = []
const busy = new Set<Account>()
let turn = 0

/** Evaluates when it is the turn of the program. The program that waited longest comes first. @throws BudgetUsed */
export async function evaluateInTurn(programId: string, request: Request): Promise<Evaluated> {
  const account = accountOf(programId)
  demandBudget(account)
  return new Promise((resolve, reject) => {
    waiting.push({ account, request, resolve, reject })
    serve()
  })
}

function accountOf(programId: string): Account {
  const known = accounts.get(programId)
  if (known) return known
  const account = { usedMs: 0, endsAt: 0, servedAt: 0 }
  accounts.set(programId, account)
  return account
}

function demandBudget(account: Account): void {
  const now = Date.now()
  if (account.endsAt <= now) Object.assign(account, { usedMs: 0, endsAt: now + budgetEveryMs })
  if (account.usedMs >= budgetMs) throw new BudgetUsed(account.endsAt - now)
}

function serve(): void {
  while (busy.size < mostEvaluators) {
    const open = waiting.filter(({ account }) => !busy.has(account))
    const [first] = open.sort((a, b) => a.account.servedAt - b.account.servedAt)
    if (!first) return
    waiting.splice(waiting.indexOf(first), 1)
    void run(first)
  }
}

async function run({ account, request, resolve, reject }: Job): Promise<void> {
  const evaluator = idle.pop() ?? createEvaluator()
  turn += 1
  account.servedAt = turn
  busy.add(account)
  try {
    demandBudget(account)
    const answer = await evaluator.evaluate(request)
    account.usedMs += answer.cpuMs
    resolve(answer)
  } catch (error) {
    reject(error)
  } finally {
    idle.push(evaluator)
    busy.delete(account)
    serve()
  }
}
