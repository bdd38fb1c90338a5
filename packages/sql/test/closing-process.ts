// Asks a worker thread, closes it before the answer has come, and prints that it was closed.
import { WorkerClient } from '../src/sqlite/worker-client.ts'

const [path = ''] = process.argv.slice(2)
const client = new WorkerClient('query-worker', { path, busyTimeoutMs: 50 })
const asked = client.request({ sql: 'select 1', parameters: [] })
await client.close()
await asked
process.stdout.write('closed\n')
