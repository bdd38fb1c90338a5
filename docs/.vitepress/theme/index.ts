import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { ProviderFilter } from './provider-filter.ts'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('ProviderFilter', ProviderFilter)
  },
} satisfies Theme
