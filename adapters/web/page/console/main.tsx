import { render } from "preact";
import { Console } from "./Console.tsx";
import "../src/styles/base.css";
import "../src/styles/controls.css";
import "../src/styles/header.css";
import "./console.css";

const place = document.getElementById("page");
if (place) render(<Console />, place);
