/** Builds the application once for all tests that serve it. */
export { buildIfChanged as setup } from '../scripts/application.ts'
