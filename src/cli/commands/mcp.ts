import { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { OperatorError } from '../../database/operator-error.ts'
import { findServer } from '../operate.ts'
import { report } from '../report.ts'
import { bridgeStdio } from '../stdio-bridge.ts'

/** For assistants that start a program instead of opening a connection. */
export const mcpCommand = (): Command =>
  new Command('mcp')
    .description('give an assistant the tools of a program, by the Model Context Protocol on standard input and output')
    .addHelpText(
      'after',
      '\nTRIBUTARY_KEY is an API key, or the token of an affiliate. A key that only reads proposes nothing.',
    )
    .action(() =>
      report(async () => {
        const config = readConfig(process.env)
        if (!config.assistantKey)
          throw new OperatorError('Set TRIBUTARY_KEY to an API key of the program, or to the token of an affiliate.')
        await bridgeStdio(await findServer(config), config.assistantKey)
        return null
      }),
    )
