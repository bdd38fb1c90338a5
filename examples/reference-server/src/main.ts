import { runtimeProblem } from './runtime.ts'

const problem = runtimeProblem(process.versions.node)
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
} else {
  // It compiles the schemas that are made after it.
  await import('zod/compile')
  // Loaded only now: on an old Node the database driver crashes the process before any line of ours could run.
  const { serve } = await import('./serve.ts')
  await serve(process.env)
}
