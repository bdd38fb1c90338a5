/** Writes the types of the operations API into the application. */
import { writeFileSync } from 'node:fs'
import { createSchema } from './schema.ts'

writeFileSync(new URL('../src/app/api/schema.ts', import.meta.url), await createSchema())
