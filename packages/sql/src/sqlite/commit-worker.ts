import { commitBatch } from './commit-batch.ts'
import type { Batch } from './commands.ts'
import { prepareCommands } from './run-command.ts'
import { serve } from './worker-server.ts'

serve((connection, file) => {
  const commands = prepareCommands(connection)
  return (batch: Batch) => file.run(() => commitBatch(connection, batch.commands.map(commands.stage(batch))))
})
