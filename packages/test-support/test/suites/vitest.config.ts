import { defineConfig } from 'vitest/config'

// The tests run these suites with and without the services.
export default defineConfig({ test: { include: ['*.suite.ts'] } })
