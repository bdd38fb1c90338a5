/** Builds the application, after tsup has built the package. */
import { buildApplication } from './application.ts'

await buildApplication()
