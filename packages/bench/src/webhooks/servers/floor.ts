// The minimal server that appends bodies to a file. Bodies that arrive during a commit share the next one.
import { fdatasync, openSync, writev } from 'node:fs'
import { join } from 'node:path'
import { startMinimal } from './minimal.ts'

interface Kept {
  readonly body: Buffer
  readonly answer: () => void
}

const file = openSync(join(process.env['DATA_DIR'] ?? '', 'bodies'), 'a')
let waiting: Kept[] = []
let isCommitting = false

startMinimal((body, answer) => {
  waiting.push({ body, answer })
  commit()
})

function commit(): void {
  if (isCommitting || waiting.length === 0) return
  isCommitting = true
  const batch = waiting
  waiting = []
  const bytes = batch.reduce((sum, { body }) => sum + body.length, 0)
  writev(
    file,
    batch.map(({ body }) => body),
    (error, written) => {
      if (error ?? written !== bytes) throw error ?? new Error(`${written} of ${bytes} bytes were written`)
      fdatasync(file, (failure) => {
        if (failure) throw failure
        isCommitting = false
        for (const { answer } of batch) answer()
        commit()
      })
    },
  )
}
