import { defineConfig } from 'vitest/config'

// These suites are run by the tests, in every situation that a machine can put them in.
export default defineConfig({ test: { include: ['*.suite.ts'] } })
