import { createRoot } from 'react-dom/client'
import { Portal } from './portal.tsx'

createRoot(document.getElementById('page') as HTMLElement).render(<Portal />)
