/** Builds the application once for all tests that serve it. */
import { buildIfChanged } from '../scripts/application.ts'

export const setup = (): Promise<void> => buildIfChanged()
