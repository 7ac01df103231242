import '../src/styles/fonts.css'
import '../src/styles/tokens.css'
import '../src/styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { appAround } from '../test/app-around'
import { Workbench } from './Workbench'

const root = document.getElementById('root')
if (root) createRoot(root).render(<StrictMode>{appAround(<Workbench />).element}</StrictMode>)
