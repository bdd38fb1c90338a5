import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { applyTheme } from './layout/theme.ts'
import './styles/base.css'
import './styles/controls.css'
import './styles/layout.css'
import './styles/content.css'

applyTheme()
const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
