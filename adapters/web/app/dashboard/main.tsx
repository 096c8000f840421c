import { render } from 'preact';
import { Header } from '../shared/header.js';
import { startTheme } from '../shared/theme.js';

startTheme();
render(<Header page="dashboard" />, document.getElementById('app') as HTMLElement);
