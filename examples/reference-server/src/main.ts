import { runtimeProblem } from './runtime.ts'

const problem = runtimeProblem(process.versions.node)
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
} else {
  // Compiles the schemas that are created after this import.
  await import('zod/compile')
  // Imported late: on an old Node.js, the database driver would crash the process before the check above.
  const { serve } = await import('./serve.ts')
  await serve(process.env, process.argv[2])
}
