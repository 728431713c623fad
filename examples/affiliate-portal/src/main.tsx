import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Portal } from './portal.tsx'
import './style.css'

const root = document.querySelector('main')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Portal />
    </StrictMode>,
  )
}
